@extends('layouts.app')

@section('content')
    <h1>{{ __('checkout.title') }}</h1>

    <ol>
        @foreach (['address', 'payment', 'review'] as $step)
            <li>{{ __("checkout.steps.{$step}") }}</li>
        @endforeach
    </ol>

    <fieldset>
        <label>@lang('checkout.address.name') <input name="name"></label>
        <label>@lang('checkout.address.street') <input name="street"></label>
        <label>@lang('checkout.address.postcode') <input name="postcode"></label>
        <label>@lang('checkout.address.city') <input name="city"></label>
        <label>@lang('checkout.address.country') <input name="country"></label>
    </fieldset>

    <fieldset>
        <legend>{{ __('checkout.payment.choose') }}</legend>
        <label><input type="radio" name="method" value="card"> {{ __('checkout.payment.card') }}</label>
        <label><input type="radio" name="method" value="transfer"> {{ __('checkout.payment.transfer') }}</label>
    </fieldset>

    <p>@choice('checkout.delivery', $order->days)</p>
    <p>{!! __('checkout.terms', ['url' => '/terms']) !!}</p>
    <button>{{ __('checkout.place_order', ['amount' => $order->total()]) }}</button>
@endsection
