@extends('layouts.app')

@section('title', __('cart.title'))

@section('content')
    <h1>{{ __('cart.title') }}</h1>

    @if ($cart->isEmpty())
        <p>{{ __('cart.empty') }}</p>
        <a href="/">@lang('cart.continue')</a>
    @else
        <p>{{ trans_choice('cart.items', $cart->count()) }}</p>

        @foreach ($cart->lines() as $line)
            <x-cart-line :line="$line" :label="__('cart.remove', ['product' => $line->product->name])" />
        @endforeach

        {{-- The button says {{ __('cart.voucher.apply') }}: this is a comment, not a use. --}}
        <form method="post" action="/cart/voucher">
            <label>{{ __('cart.voucher.label') }} <input name="code"></label>
            <button>{{ __('cart.voucher.apply') }}</button>
            @error('code')
                <p class="error">{{ __('cart.voucher.invalid', ['code' => old('code')]) }}</p>
            @enderror
        </form>

        <p>{{ __('cart.subtotal') }}: {{ $cart->subtotal() }}</p>
        <p>{{ __('cart.total', ['amount' => $cart->total()]) }}</p>
        @if ($cart->missingForFreeDelivery() > 0)
            <p>{{ __('cart.free_delivery', ['amount' => $cart->missingForFreeDelivery()]) }}</p>
        @endif
        <a href="/checkout">@lang('cart.checkout')</a>
    @endif
@endsection
