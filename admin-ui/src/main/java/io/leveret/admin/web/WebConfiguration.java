package io.leveret.admin.web;

import java.util.List;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Makes the server take names in paths as they are. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {
    /** A vhost's name is often "/": its %2F must reach the handlers undecoded, so that it does not split a segment. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
        return factory -> factory.addConnectorCustomizers(connector -> {
            connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
            connector.setEncodedReverseSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        });
    }

    /** {@code /api/users/} is {@code /api/users}, for every method. */
    @Bean
    FilterRegistrationBean<UrlHandlerFilter> trailingSlashes() {
        FilterRegistrationBean<UrlHandlerFilter> filter = new FilterRegistrationBean<>(
                UrlHandlerFilter.trailingSlashHandler("/api/**").wrapRequest().build());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    @Bean
    WebMvcConfigurer access(ApiAccess access) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(access).addPathPatterns("/api/**");
                registry.addInterceptor(new FragmentRendering());
            }

            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new CurrentUser());
            }
        };
    }
}
