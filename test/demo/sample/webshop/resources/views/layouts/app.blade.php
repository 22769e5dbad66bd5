<!DOCTYPE html>
<html lang="{{ str_replace('_', '-', app()->getLocale()) }}">
<head>
    <meta charset="utf-8">
    <title>@yield('title', config('app.name'))</title>
    @vite(['resources/js/app.ts'])
</head>
<body>
    <header>
        <input type="search" placeholder="{{ __('Search the shop') }}">
        @auth
            <p>{{ __('Welcome back, :name!', ['name' => auth()->user()->name]) }}</p>
            <a href="/logout">@lang('auth.logout')</a>
        @else
            <a href="/login">@lang('auth.login')</a>
        @endauth
        <p>{{ __('Free delivery from :amount', ['amount' => '€ 50']) }}</p>
    </header>
    @yield('content')
</body>
</html>
